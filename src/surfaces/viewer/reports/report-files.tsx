/**
 * The contents of a report: the run at once, a picture or a trace when it is looked at; and the files of an attempt or a
 * command, its own and those that it links to beside it.
 */

import { useMemo } from 'preact/hooks'
import type { TraceExecution } from '../../../contracts/doors/viewer.ts'
import type { TestReport } from '../../../contracts/flows/test-report.ts'

const valueIn = (id: string | undefined): unknown => {
  const text = id === undefined ? undefined : document.getElementById(id)?.textContent
  return text ? JSON.parse(text) : undefined
}

export const readReport = (): TestReport | undefined => valueIn('report') as TestReport | undefined

const ownValue = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** A data URL. */
const pictureOf = ({ pictures }: TestReport, path: string): string | undefined =>
  valueIn(ownValue(pictures, path)) as string | undefined

export const traceOf = ({ traces }: TestReport, executionId: string): TraceExecution | undefined =>
  valueIn(ownValue(traces, executionId)) as TraceExecution | undefined

const textOf = ({ texts }: TestReport, path: string): string | undefined => ownValue(texts, path)
const linkOf = ({ links }: TestReport, path: string): string | undefined => ownValue(links, path)
export const sourceOf = ({ sources }: TestReport, path: string): string | undefined => ownValue(sources, path)

const nameOf = (path: string) => path.split('/').at(-1) ?? path

const Linked = ({ report, path }: { report: TestReport; path: string }) => {
  const href = linkOf(report, path)
  return href === undefined ? <span>{nameOf(path)}</span> : <a href={href}>{nameOf(path)}</a>
}

const ReportFile = ({ report, path }: { report: TestReport; path: string }) => {
  const picture = useMemo(() => pictureOf(report, path), [report, path])
  const text = textOf(report, path)
  if (picture !== undefined) {
    return (
      <figure class="report-picture">
        <img src={picture} alt={nameOf(path)} />
        <figcaption>
          <Linked report={report} path={path} />
        </figcaption>
      </figure>
    )
  }
  if (text === undefined)
    return (
      <p>
        <Linked report={report} path={path} />
        {linkOf(report, path) === undefined && <span class="muted"> was not found when the report was written</span>}
      </p>
    )
  return (
    <details class="report-text">
      <summary>{nameOf(path)}</summary>
      <p>
        <Linked report={report} path={path} />
      </p>
      <pre class="output">{text}</pre>
    </details>
  )
}

export const ReportFiles = ({ report, paths, name }: { report: TestReport; paths: readonly string[]; name: string }) =>
  paths.length === 0 ? null : (
    <section class="card report-files" aria-label={name}>
      <h3>{name}</h3>
      <div class="report-file-list">
        {paths.map(path => (
          <ReportFile key={path} report={report} path={path} />
        ))}
      </div>
    </section>
  )
