/** The skills of the registry: listed by the plain filter of GET /skills, looked up, and run. */
import type { ErrorObject } from '../../contracts/error.ts'
import { SKILL_RUN_HEADER } from '../../contracts/headers.ts'
import { SkillRunBody, SkillsQuery } from '../../contracts/http.ts'
import type { SkillResponse, SkillsResponse } from '../../contracts/registry.ts'
import { type RequestContext, readContext } from '../../contracts/request-context.ts'
import { getSkill } from '../../skills/registry/find.ts'
import type { Registry } from '../../skills/registry/load.ts'
import { runAnswer } from '../../skills/run/run-answer.ts'
import { filterSkills } from '../../skills/search/search.ts'
import { answer, answerText, refuse } from '../answer.ts'
import type { HttpDeps } from '../deps.ts'
import { readBody } from '../json-body.ts'
import type { RouteModule } from '../module.ts'
import { readQuery } from '../query.ts'

const ONE = '/skills/:skillId'
const RUN = '/skills/:skillId/run'

/** Turns a value other than a string into its JSON text. */
const argumentOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The whole list of one registry, as text: made again when the file has changed, and not for every caller. */
const wholeList = () => {
  let kept: { registry: Registry; json: string } | undefined
  return (registry: Registry): string => {
    if (kept?.registry === registry) return kept.json
    const response: SkillsResponse = { ok: true, ...filterSkills(registry, {}) }
    kept = { registry, json: JSON.stringify(response) }
    return kept.json
  }
}

const run = async (
  skillId: string,
  body: SkillRunBody,
  { caller, confirmed }: RequestContext,
  deps: HttpDeps,
): Promise<Response> => {
  const { skills, operatorPackage } = deps
  const { deviceId, args = [], timeoutMs, expectContains } = body
  // No signal is passed: a caller who leaves cancels nothing.
  const finished = await skills.run({
    skillId,
    deviceId,
    args: args.map(argumentOf),
    timeoutMs,
    expectContains,
    operatorPackage,
    caller,
    confirmed,
  })
  const { status, body: said } = runAnswer(finished)
  return answerText(JSON.stringify(said), status, { [SKILL_RUN_HEADER]: finished.runId })
}

export const skillRoutes: RouteModule = {
  mount(app, { deps }) {
    const { skills } = deps
    const listOf = wholeList()

    const withRegistry = (say: (registry: Registry) => Response | { error: ErrorObject }): Response => {
      const loaded = skills.load()
      if (!loaded.ok) return refuse(loaded.error)
      const said = say(loaded.registry)
      return 'error' in said ? refuse(said.error) : said
    }

    app.get('/skills', c => {
      const read = readQuery(c.env.incoming.url ?? '', SkillsQuery)
      if (!read.ok) return refuse(read.error)
      const { query } = read
      const isWhole = Object.keys(query).length === 0
      return withRegistry(registry => {
        if (isWhole) return answerText(listOf(registry))
        const response: SkillsResponse = { ok: true, ...filterSkills(registry, query) }
        return answer(response)
      })
    })
    app.get(ONE, c =>
      withRegistry(registry => {
        const found = getSkill(registry, c.req.param('skillId'))
        if (!found.ok) return found
        const response: SkillResponse = { ok: true, ...found.output }
        return answer(response)
      }),
    )
    app.post(RUN, async c => {
      const read = await readBody(c.env.incoming, SkillRunBody, deps)
      if (!read.ok) return refuse(read.error)
      const asked = readContext(c.env.incoming.headers, deps)
      return asked.ok ? run(c.req.param('skillId'), read.body, asked.context, deps) : refuse(asked.error)
    })
  },
}
