"""What is evaluated: the model, its files, and the checks of them."""
