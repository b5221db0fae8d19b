/** Twenty commands at once where no daemon runs. Run by `npm run test:long`. */
import { describe } from 'vitest'
import { coldSuite } from '../surfaces/daemon/svc/cold-suite.ts'

describe.sequential('without a daemon', () => coldSuite(20))
