/** One line of the benchmark's table. */
export interface BenchRow {
  name: string
  value: number
  unit: string
  /** What the ratio is to: measured in the same run, on the same machine. */
  floor: string
  ratio: number
}
