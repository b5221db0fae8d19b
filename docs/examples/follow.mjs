import { connect } from 'svc'

const svc = await connect()
const phone = svc.device()

const transitions = svc.transitions({ after: 0, machine: 'device' })
await phone.back({ waitMs: 30_000 })
for await (const { eventId, actor, event, to } of transitions) {
  console.log(eventId, actor, event, to)
  if (event === 'execution.settled') break
}

await svc.close()
