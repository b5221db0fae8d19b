/** Twenty at once, which takes more than its share, are tried by `npm run test:long`. */
import { coldSuite } from './cold-suite.ts'

coldSuite(8)
