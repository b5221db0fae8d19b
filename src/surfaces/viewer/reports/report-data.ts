/** The data that a report carries in its elements: the run at once, a picture or a trace when it is looked at. */

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
export const pictureOf = ({ pictures }: TestReport, path: string): string | undefined =>
  valueIn(ownValue(pictures, path)) as string | undefined

export const traceOf = ({ traces }: TestReport, executionId: string): TraceExecution | undefined =>
  valueIn(ownValue(traces, executionId)) as TraceExecution | undefined

export const textOf = ({ texts }: TestReport, path: string): string | undefined => ownValue(texts, path)
export const linkOf = ({ links }: TestReport, path: string): string | undefined => ownValue(links, path)
export const sourceOf = ({ sources }: TestReport, path: string): string | undefined => ownValue(sources, path)
