"""E-mail: texts, notifications and delivery."""
