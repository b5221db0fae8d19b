import { buildIfChanged } from '../../src/build/esbuild.config.js'

/** Tests spawn real programs, so what they spawn is built before the first test, unless it is built already. */
export default async function setup() {
  await buildIfChanged()
}
