/** What a proxied command loads. Everything heavier costs every call of `svc`, so it is held here by name and by size. */
import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
/** A quarter of it is the table that decides what happens next. */
const BYTES_MAX = 20_000
/** Each of them is loaded by Node itself at its start, or costs little beside `node:net`. */
const BUILTINS = ['node:fs', 'node:net', 'node:path']

interface Bundle {
  inputs: string[]
  externals: string[]
  bytes: number
}

const bundle = async (): Promise<Bundle> => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/surfaces/daemon/client/proxy.ts'],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
    // What is loaded only when something has to be done about the daemon.
    plugins: [
      {
        name: 'later',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\.ts$/ }, ({ kind, path }) =>
            kind === 'dynamic-import' ? { path: `node:${path}`, external: true } : undefined,
          ),
      },
    ],
  })
  const imports = Object.values(metafile.inputs).flatMap(input => input.imports)
  return {
    inputs: Object.keys(metafile.inputs),
    externals: [
      ...new Set(imports.filter(({ external, kind }) => external && kind !== 'dynamic-import').map(({ path }) => path)),
    ],
    bytes: outputFiles[0]?.contents.length ?? 0,
  }
}

let thin: Bundle
beforeAll(async () => {
  thin = await bundle()
})

test('no package at all', () => {
  expect(thin.inputs.filter(path => path.includes('node_modules'))).toEqual([])
  expect(thin.externals.filter(path => !isBuiltin(path))).toEqual([])
})

test('of Node, only what is quick to load', () => {
  expect(thin.externals.filter(path => !BUILTINS.includes(path))).toEqual([])
})

test('of the house, the thin client and plain modules', () => {
  const others = thin.inputs.filter(path => !path.startsWith('src/surfaces/daemon/'))
  expect(others.sort()).toEqual([
    'machines/dispatch/dispatch-table.ts',
    'src/contracts/doors/headers.ts',
    'src/contracts/executions/screenshot-aliases.ts',
    'src/contracts/host-paths.ts',
    'src/contracts/json/json.ts',
    'src/contracts/json/literals.ts',
    'src/contracts/limits/limits.ts',
    'src/runtime/files/make-folder.ts',
    'src/runtime/files/small-file.ts',
    'src/runtime/message-of.ts',
    'src/runtime/once.ts',
    'src/runtime/processes/processes.ts',
  ])
  expect(thin.inputs.filter(path => /^src\/surfaces\/daemon\/(manage|run)\//.test(path))).toEqual([])
})

test('and little of all that', () => {
  expect(thin.bytes).toBeLessThan(BYTES_MAX)
})
