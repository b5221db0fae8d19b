/** Lets everything run that can run without time passing. */

const ROUNDS = 20

export const settled = async (): Promise<void> => {
  for (let round = 0; round < ROUNDS; round++) await new Promise<void>(resolve => setImmediate(resolve))
}
