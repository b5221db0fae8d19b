/** The files of simulated flows, as their plan has them. */
import type { PlannedOrder, PlannedTap, SecretUse, SimulatedFlow } from './plan.ts'

const tapText = ({ row, within }: PlannedTap): string => {
  const tap = `tapOn: tap-${row}`
  switch (within) {
    case 'flow':
      return `- ${tap}`
    case 'runFlow':
      return `- runFlow: { when: { visible: tap-${row} }, commands: [${tap}] }`
    case 'repeat':
      return `- repeat: { times: 1, commands: [${tap}] }`
    case 'retry':
      return `- retry: { maxRetries: 2, commands: [${tap}] }`
    case 'optional':
      return `- tapOn: { text: tap-${row}, optional: true }`
  }
}

const ORDER = "http.get('order').status"

const orderText = ({ within }: PlannedOrder): string => {
  switch (within) {
    case 'evalScript':
      return `- evalScript: \${output.order = ${ORDER}}`
    case 'label':
      return `- assertTrue: { condition: "\${1}", label: "Ordered \${${ORDER}}" }`
    case 'text':
      return `- assertTrue: "\${${ORDER}}"`
    case 'condition':
      return `- runFlow: { when: { true: "\${${ORDER}}" }, commands: [assertTrue: "\${1}"] }`
  }
}

export const PART_FILE = 'part.yaml'
export const partText = (rows: readonly number[]): string =>
  ['appId: com.example.counter', '---', ...rows.map(row => `- tapOn: tap-${row}`), ''].join('\n')

/** The server answers with the secret under keys that svc has words for. */
export const SECRET_URL = 'secret'

const secretText = (use: SecretUse): string => {
  switch (use) {
    case 'typed':
      return `- inputText: { text: "\${SEC}", optional: true }`
    case 'label':
      return `- assertTrue: { condition: "\${1}", label: "Signed in with \${SEC}" }`
    case 'text':
      return `- assertNotVisible: "\${SEC}"`
    case 'id':
      return `- assertNotVisible: { id: "\${SEC}" }`
    case 'address':
      return `- evalScript: \${output.address = http.get('address/%SEC%').status}`
    case 'response':
      return `- evalScript: \${output.answer = http.get('${SECRET_URL}').body}`
    case 'output':
      return `- evalScript: \${output.code = SEC; output.state = SEC}`
  }
}

export const flowText = ({ taps, fails, order, part, secretUses = [] }: SimulatedFlow): string =>
  [
    'appId: com.example.counter',
    '---',
    ...(part ? [`- runFlow: "\${'${PART_FILE}'}"`] : []),
    ...taps.flatMap((tap, at) => [...(order?.behind === at ? [orderText(order)] : []), tapText(tap)]),
    ...secretUses.map(secretText),
    ...(order && order.behind >= taps.length ? [orderText(order)] : []),
    ...(fails ? ['- extendedWaitUntil: { visible: nothing, timeout: 300 }'] : []),
    '',
  ].join('\n')
