"""A slow, plain second implementation of the rules, used only to check the real one."""
