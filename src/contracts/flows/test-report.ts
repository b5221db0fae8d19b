/** The data of a test report in one HTML file: the run, and where in the file its pictures and traces are. */
import type { TestRun } from './test-run.ts'

type TextByPath = Readonly<Record<string, string>>

export interface TestReport {
  readonly run: TestRun
  /** The text of each flow, by the path that the run names it by. */
  readonly sources: TextByPath
  /** Logs and other texts by their path below the folder of the run, as are pictures and links. */
  readonly texts: TextByPath
  /** The id of the element that holds the picture as a data URL. */
  readonly pictures: TextByPath
  /** The address of the file beside the report. */
  readonly links: TextByPath
  /** The id of the element that holds the trace, by the id of the execution. */
  readonly traces: Readonly<Record<string, string>>
  /** One sentence for everything that the file leaves out. */
  readonly omitted: readonly string[]
}
