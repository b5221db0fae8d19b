/** How often a property is tried: a fifth in `npm test`, and in full in `npm run test:long`. */
const isFull = process.env.SVC_TEST_PROPERTIES === 'full'

export const propertyRuns = (full: number, quick = Math.ceil(full / 5)): number => (isFull ? full : quick)
