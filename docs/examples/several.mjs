import { connect } from 'svc'

const svc = await connect()

const { data, steps } = await svc.device().execute([
  { type: 'open_app', params: { applicationId: 'com.android.settings' } },
  { type: 'wait_for_node', params: { matcher: { textEquals: 'Settings' } } },
  { id: 'wifi', type: 'read_text', params: { matcher: { textEquals: 'Wi-Fi' } } },
])
console.log(steps.length, data.wifi?.text)

await svc.close()
