/** The parts of a pattern's program that branch: choices and repeats, for both kinds of regular expressions. */

export interface SplitPart {
  kind: 'split'
  /** Goes on at each of these parts. */
  to: number[]
}

/** `parts` grows by what it emits; `emit` appends the parts of a branch. */
export const patternBranches = <Tree>(
  parts: { length: number; push(part: SplitPart): unknown },
  emit: (branch: Tree) => void,
) => {
  const split = (): SplitPart => {
    const part: SplitPart = { kind: 'split', to: [] }
    parts.push(part)
    return part
  }
  return {
    any(of: readonly Tree[]): void {
      const [only] = of
      if (only !== undefined && of.length === 1) {
        emit(only)
        return
      }
      const start = split()
      const exits = of.map(each => {
        start.to.push(parts.length)
        emit(each)
        return split()
      })
      for (const exit of exits) exit.to.push(parts.length)
    },
    repeat({ of, min, max }: { of: Tree; min: number; max: number }): void {
      for (let count = 0; count < min; count++) emit(of)
      if (max === Number.POSITIVE_INFINITY) {
        const start = parts.length
        const again = split()
        again.to.push(parts.length)
        emit(of)
        split().to.push(start)
        again.to.push(parts.length)
        return
      }
      const exits: SplitPart[] = []
      for (let count = min; count < max; count++) {
        const exit = split()
        exits.push(exit)
        exit.to.push(parts.length)
        emit(of)
      }
      for (const exit of exits) exit.to.push(parts.length)
    },
  }
}
