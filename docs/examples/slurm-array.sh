#!/bin/bash
# A cup in eight shards, one for each task of a SLURM array:
#     sbatch docs/examples/slurm-array.sh spring.toml
# and when all have ended:
#     trianon merge spring/shards/* --out spring
#SBATCH --job-name=trianon
#SBATCH --array=1-8
#SBATCH --cpus-per-task=4
#SBATCH --mem-per-cpu=1G
#SBATCH --time=12:00:00
#SBATCH --requeue
set -eu
exec trianon run "$1" --json \
    --jobs "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
