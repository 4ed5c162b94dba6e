int in_c(int class) { return class + 1; }
