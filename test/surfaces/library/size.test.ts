/** The library is small, and needs nothing but Node. */
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const BYTES_MAX = 60_000

test('its bundle holds no package, imports Node alone, and has less than 60 KB', async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: ['src/surfaces/library/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    minify: true,
    write: false,
    metafile: true,
    outfile: 'svc.js',
    define: { __SVC_VERSION__: '"0"' },
  })
  expect(Object.keys(metafile.inputs).filter(path => !path.startsWith('src/'))).toEqual([])
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  expect(imported.filter(path => !path.startsWith('node:'))).toEqual([])
  expect(outputFiles[0]?.contents.length).toBeLessThan(BYTES_MAX)
})
