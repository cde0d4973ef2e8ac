"""What the arena costs, each figure beside a floor or a peer of the same run."""
