"""Several processes as one server: what they tell each other, and how each notices what others have done."""
