/**
 * Preloaded with --import: at exit, writes the name of every file that Node has loaded to the file LOADED_FILES, and of every
 * module in them that was evaluated.
 */
import { appendFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { createRequire, register } from 'node:module'

const to = process.env.LOADED_FILES ?? ''

// ES modules pass through a loader hook, which runs on a thread of its own.
const hook = `
  import { appendFileSync } from 'node:fs'
  export const load = (url, context, next) => {
    if (url.startsWith('file:')) appendFileSync(${JSON.stringify(to)}, new URL(url).pathname + '\\n')
    return next(url, context)
  }`
register(`data:text/javascript,${encodeURIComponent(hook)}`)

// In a bundle that evaluates its modules when they are asked for, each is a function with the name of its file.
const MODULE = /^(?:src|machines|node_modules)\/.*\.[cm]?[jt]s$/
const inspector = new Session()
inspector.connect()
inspector.post('Profiler.enable')
inspector.post('Profiler.startPreciseCoverage', { callCount: true })

process.on('exit', () => {
  inspector.post('Profiler.takePreciseCoverage', (_, coverage) => {
    for (const { functionName, ranges } of coverage?.result.flatMap(({ functions }) => functions) ?? [])
      if (MODULE.test(functionName) && (ranges[0]?.count ?? 0) > 0) appendFileSync(to, `${functionName}\n`)
  })
  const { cache } = createRequire(import.meta.url)
  appendFileSync(
    to,
    Object.keys(cache)
      .map(file => `${file}\n`)
      .join(''),
  )
})
