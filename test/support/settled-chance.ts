/** The same random trials at every run: what a fresh one finds is of no change in particular, and is for the long run. */
import fc from 'fast-check'

const SEED = 20_261_126
const isShort = process.env.SVC_TEST_PROPERTIES !== 'full' || process.env.SVC_TRIALS !== undefined

if (isShort) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })
