import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { buildIfChanged } from '../../src/build/esbuild.config.js'

/** Tests spawn real programs, so what they spawn is built before the first test, unless it is built already. */
export default async function setup() {
  await buildIfChanged()
  const { SVC_CACHE_DIR } = process.env
  if (SVC_CACHE_DIR) mkdirSync(dirname(SVC_CACHE_DIR), { recursive: true })
}
