/** The files of an attempt or a command in a report: pictures and logs that it holds, and links to others beside it. */
import { useMemo } from 'preact/hooks'
import type { TestReport } from '../../../contracts/flows/test-report.ts'
import { linkOf, pictureOf, textOf } from './report-data.ts'

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
