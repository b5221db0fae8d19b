/** What is tried many times over: a tenth in `npm test`, and in full in `npm run test:long`. */
const isFull = process.env.SVC_TEST_PROPERTIES === 'full'

export const propertyRuns = (full: number, quick = Math.ceil(full / 10)): number => (isFull ? full : quick)

/** Every eleventh of many cases of one rule: the number is no divisor of what they are multiplied from. */
export const propertyCases = <T>(all: readonly T[]): readonly T[] =>
  isFull ? all : all.filter((_, at) => at % 11 === 0)
