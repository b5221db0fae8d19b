/** Reads the arguments of `svc test` as a request. */
import { resolve } from 'node:path'
import { FLOW_RETRIES, SECRET_CHARS_MIN } from '../../../contracts/flows/test-run-request.ts'
import { REPORT_FORMATS, type ReportFormat, type WantedReport } from '../../../service/flows/reports/write-reports.ts'
import type { FlowsRequest } from '../../../service/flows/request.ts'
import { type CommandContext, usage } from '../command.ts'
import { isOutputFormat, leaseOf, wholeNumber } from '../flags/flag-values.ts'

const PHONES_MAX = 1_000
const NAME = /^[A-Za-z_]\w*$/

const listed = (call: CommandContext, flag: string): string[] | undefined => {
  const words = call.all(flag).flatMap(text => text.split(',').map(word => word.trim()))
  const nonBlank = words.filter(word => word !== '')
  return nonBlank.length === 0 ? undefined : nonBlank
}

/** `K=V`, or a name alone: its value comes from the environment, and is a secret. */
const variables = (call: CommandContext): Pick<FlowsRequest, 'env' | 'secrets'> => {
  const env: Record<string, string> = {}
  const secrets: string[] = []
  for (const text of call.all('env')) {
    const at = text.indexOf('=')
    const name = at === -1 ? text : text.slice(0, at)
    if (!NAME.test(name)) throw usage(`-e takes NAME=value or NAME; got "${text}".`)
    if (at !== -1) {
      env[name] = text.slice(at + 1)
      continue
    }
    const value = call.env[name]
    if (value === undefined)
      throw usage(`-e ${name} takes its value from the environment, and ${name} is not set.`, {
        hint: `Set ${name}, or write -e ${name}=value, which is not kept secret.`,
      })
    if (value.length < SECRET_CHARS_MIN)
      throw usage(
        `-e ${name}: a secret needs at least ${SECRET_CHARS_MIN} characters: a shorter one would be found in every text.`,
        {
          hint: `Write -e ${name}=value for one that need not be kept secret.`,
        },
      )
    env[name] = value
    secrets.push(name)
  }
  return { env, secrets }
}

/** The format's own tool has a second page of the run, with each command; ours always has them. */
const OTHER_FORMATS: Readonly<Record<string, ReportFormat>> = { 'html-detailed': 'html' }

const formatOf = (text: string): ReportFormat | undefined => {
  const word = text.trim().toLowerCase()
  return OTHER_FORMATS[word] ?? REPORT_FORMATS.find(known => known === word)
}

/** --format and --output repeat in pairs. `--output` with a way to print is no file. */
export const wantedReports = (call: CommandContext): WantedReport[] => {
  const formats = call.all('format').flatMap(text => text.split(','))
  const files = call.all('output').filter(text => !isOutputFormat(text))
  const known = formats.map(format => {
    const found = formatOf(format)
    if (found === undefined) throw usage(`--format must be ${REPORT_FORMATS.join(', ')}; got "${format}".`)
    return found
  })
  if (files.length > formats.length)
    throw usage(`--output ${files[formats.length]} has no --format: give one format for each file.`)
  return known.map((format, at) => ({ format, file: files[at] }))
}

export interface TestRequest {
  readonly request: FlowsRequest
  readonly reports: readonly WantedReport[]
  readonly outputFolder: string | undefined
  readonly phones: number | undefined
}

export const testRequest = (call: CommandContext): TestRequest => {
  const split = wholeNumber(call, 'shard-split', { min: 1, max: PHONES_MAX })
  const all = wholeNumber(call, 'shard-all', { min: 1, max: PHONES_MAX })
  if (split !== undefined && all !== undefined) throw usage('Only one of --shard-split and --shard-all can be given.')
  const outputDir = call.text('output-dir')
  const outputFolder = outputDir === undefined ? undefined : resolve(call.cwd, outputDir)
  const includeTags = listed(call, 'include-tags')
  const excludeTags = listed(call, 'exclude-tags')
  const devices = listed(call, 'device')
  const config = call.text('config')
  const phones = split ?? all
  const leaseId = leaseOf(call)
  const request: FlowsRequest = {
    ...(call.args.length === 0 ? {} : { paths: [...call.args] }),
    ...variables(call),
    ...(includeTags ? { includeTags } : {}),
    ...(excludeTags ? { excludeTags } : {}),
    ...(devices ? { devices } : {}),
    ...(config === undefined ? {} : { config }),
    ...(phones === undefined ? {} : { phonesMax: phones }),
    ...(leaseId === undefined ? {} : { leaseId }),
    retries: wholeNumber(call, 'retries', FLOW_RETRIES) ?? 0,
    shardAll: all !== undefined,
    failFast: call.isOn('fail-fast'),
    recordVideo: call.isOn('record-video'),
    cwd: call.cwd,
    ...(outputFolder === undefined ? {} : { outputFolder }),
    defaultOutputFolder: call.cwd,
    caller: 'cli',
  }
  return { request, reports: wantedReports(call), outputFolder, phones }
}
