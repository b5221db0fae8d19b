/** A thread for the tests of the pool: does what the task says. */
export interface Task {
  do: 'double' | 'throw' | 'die' | 'hang'
  value: number
}

export const doTask = ({ do: what, value }: Task): number => {
  if (what === 'throw') throw new Error(`no ${value}`)
  if (what === 'die') process.exit(value)
  while (what === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
  return 2 * value
}
