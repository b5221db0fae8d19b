/** `svc skills new --from-flow`: the flow with every file that it reads, for the folder of the skill. */
import { basename, dirname, posix, relative, resolve, sep } from 'node:path'
import { neededVariables, readFlowTree } from '../../../service/flows/language/check-flows.ts'
import { flowLibrary } from '../../../service/flows/language/flow-library.ts'
import { hostFlowFiles } from '../../../service/flows/language/host-flow-files.ts'
import { invalidFlows } from '../../../service/flows/language/problem.ts'
import { decodeText } from '../../../service/flows/language/read/read-flow.ts'
import { type Refusal, refuse } from '../../../service/skills/refusal.ts'
import type { SkillFlow } from '../../../service/skills/scaffold/flow-skill.ts'

/** Below the folder of the skill. */
const FOLDER = 'flow'
const FILES_MAX = 500
const BYTES_MAX = 32 * 1024 * 1024
const YAML_FILE = /\.ya?ml$/i

const failed = (message: string, hint?: string): Refusal => refuse('SKILLS_SCAFFOLD_FAILED', message, { hint })

export const readSkillFlow = async (named: string, cwd: string): Promise<{ ok: true; flow: SkillFlow } | Refusal> => {
  const path = resolve(cwd, named)
  const library = flowLibrary(hostFlowFiles)
  const { files, problems } = await readFlowTree(library, path)
  if (problems.length > 0) return { ok: false, error: invalidFlows(problems) }
  const folder = dirname(path)
  const places = files.map(file => ({ file, below: relative(folder, file).split(sep).join('/') }))
  const outside = places.find(({ below }) => below.startsWith('../'))
  if (outside)
    return failed(
      `The flow reads ${outside.file}, which is not below ${folder}: a skill has all of its files in its own folder.`,
      'Move the file below the folder of the flow, and name it from there.',
    )
  if (files.length > FILES_MAX) return failed(`The flow reads more than ${FILES_MAX} files.`)
  const contents: Record<string, Uint8Array> = {}
  let bytes = 0
  for (const { file, below } of places) {
    const content = await library.files.read(file)
    bytes += content.length
    if (bytes > BYTES_MAX) return failed(`The files of the flow are larger than ${BYTES_MAX} bytes together.`)
    contents[posix.join(FOLDER, below)] = content
  }
  const flows = await Promise.all(files.filter(file => YAML_FILE.test(file)).map(file => library.flow(file)))
  const texts = places.flatMap(({ file, below }) => {
    if (!YAML_FILE.test(file)) return []
    const decoded = decodeText(contents[posix.join(FOLDER, below)] ?? new Uint8Array())
    return decoded.ok ? [decoded.text] : []
  })
  const variables = neededVariables(
    flows.flatMap(read => (read.ok ? [read.flow] : [])),
    texts,
  )
  return { ok: true, flow: { file: posix.join(FOLDER, basename(path)), files: contents, variables } }
}
