"""What is looked at before anything starts, and refused where it would not be safe."""
