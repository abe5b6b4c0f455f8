// The API reference of the platform in a frame, with the console's theme and the user's API key.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Applications, NewKeyReply } from '#contract/console/developers.ts'
import { get, post } from '../api.ts'
import { me, ofTenant } from '../session.ts'
import { theme } from '../theme.ts'
import { assign } from '../ui/assign.ts'
import { Field, Form, useForm } from '../ui/form.tsx'
import { canManage } from './rights.ts'

export function Reference() {
  // The API key stays in memory only, never in the browser's storage.
  const key = useSignal('')
  const frame = useRef<HTMLIFrameElement>(null)
  const message = { apiKey: key.value, theme: theme.value }
  const send = () => frame.current?.contentWindow?.postMessage(message, location.origin)
  useEffect(send, [key.value, theme.value])
  return (
    <>
      <KeyCard value={key.value} onValue={(value) => assign(key, value)} />
      <iframe class="reference" ref={frame} src="/docs" title="API reference" onLoad={send} />
    </>
  )
}

function KeyCard({ value, onValue }: { value: string; onValue(value: string): void }) {
  const act = useForm([])
  async function createKey(): Promise<void> {
    const { items } = await get<Applications>(ofTenant('/developers/applications'))
    const scopes = ['sessions', 'webhooks', ...(me.value?.sandbox ? ['sandbox'] : [])]
    const body = {
      label: 'API reference, for a day',
      applicationId: items[0]?.applicationId,
      scopes,
      expiresInDays: 1,
    }
    const { apiKey } = await post<NewKeyReply>(ofTenant('/developers/keys'), body)
    onValue(apiKey)
  }
  const field = (
    <Field
      label="Your API key"
      hint="We fill it into samples and calls. It stays in the memory of this page and is deleted when you leave."
      type="password"
      autoComplete="off"
      value={value}
      onValue={(text) => onValue(text.trim())}
    />
  )
  return (
    <section class="card">
      {canManage() ? (
        <Form act={act} onSubmit={createKey} button="Create a key for this page, valid for a day">
          {field}
        </Form>
      ) : (
        field
      )}
    </section>
  )
}
