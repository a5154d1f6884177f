"""What people ask for besides the commands of a connection; one class per subject, from and to wire types."""
