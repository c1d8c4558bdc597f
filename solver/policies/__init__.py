"""Human rules as data: expressions over what a player sees, and files of rules made of them."""
