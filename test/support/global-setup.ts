import { buildAll } from '../../esbuild.config.js'

/** Tests spawn real programs, so what they spawn is built once before the first test. */
export default async function setup() {
  await buildAll()
}
