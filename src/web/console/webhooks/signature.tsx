// The signature checker: paste what came, and learn whether it was signed for an endpoint, and if not, why.
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { Endpoint, SignatureResult } from '#contract/console/webhooks.ts'
import { post } from '../api.ts'
import { to } from '../router.ts'
import { tenantId } from '../session.ts'
import { Choice, Form, useForm } from '../ui/form.tsx'
import { useList } from '../ui/list.tsx'
import { Badge, Empty, Loading, Trouble } from '../ui/parts.tsx'
import { api, findingWords, mayAct } from './words.ts'

const placeholder = 'webhook-id: 01a1fcfb-…\nwebhook-timestamp: 1795255200\nwebhook-signature: v1,…'

export function SignatureChecker() {
  const { items, error, reload } = useList<Endpoint>('/webhooks/endpoints', { tenantId: tenantId.value, limit: '200' })
  const typed = useSignal({ endpointId: '', headers: '', body: '' })
  const result = useSignal<SignatureResult | null>(null)
  const act = useForm(['headers', 'body'])
  if (error && !items) return <Trouble error={error} retry={reload} />
  if (!items) return <Loading />
  const [first] = items
  if (!first) return <NoEndpoint />
  if (!mayAct()) return <NotAllowed />
  const endpointId = typed.value.endpointId || first.endpointId
  const set = (change: Partial<typeof typed.value>) => {
    typed.value = { ...typed.value, ...change }
    result.value = null
  }
  async function submit(): Promise<void> {
    const { headers, body } = typed.value
    result.value = null
    result.value = await post<SignatureResult>(api(`/endpoints/${endpointId}/check-signature`), { headers, body })
  }
  return (
    <div class="checker">
      <Form act={act} onSubmit={submit} button="Check the signature">
        <Choice
          label="Endpoint"
          value={endpointId}
          options={items.map((each) => [each.endpointId, each.url] as const)}
          onValue={(value) => set({ endpointId: value })}
        />
        <Message typed={typed.value} faults={act.faults} set={set} />
      </Form>
      <div aria-live="polite">{result.value && <Result result={result.value} />}</div>
    </div>
  )
}

interface MessageProps {
  typed: { headers: string; body: string }
  faults: Record<string, string>
  set(change: { headers?: string; body?: string }): void
}

const Message = ({ typed, faults, set }: MessageProps) => (
  <>
    <Area
      label="Headers"
      hint="The three webhook headers as your server got them, one a line; others do no harm."
      rows={4}
      placeholder={placeholder}
      value={typed.headers}
      fault={faults.headers}
      onValue={(headers) => set({ headers })}
    />
    <Area
      label="Body"
      hint="The raw body, exactly as it came. It is compared and not kept."
      rows={10}
      placeholder='{"tenant_id":"…'
      value={typed.body}
      fault={faults.body}
      onValue={(body) => set({ body })}
    />
  </>
)

const NoEndpoint = () => (
  <Empty title="No endpoint yet">
    <p>
      A signature is checked with the secret of an endpoint. <a href={to('webhooks')}>Add one first</a>
    </p>
  </Empty>
)

const NotAllowed = () => (
  <Empty title="Not with your role">
    <p>Developers, operators and admins check signatures.</p>
  </Empty>
)

function Result({ result }: { result: SignatureResult }) {
  const [tone, title, text] = findingWords(result)
  return (
    <div class={`notice ${tone}`}>
      <p>
        <Badge tone={tone}>{tone === 'good' ? 'Right' : tone === 'warn' ? 'Nearly' : 'Wrong'}</Badge>{' '}
        <strong>{title}</strong>
      </p>
      <p>{text}</p>
      {result.endpointId && (
        <p>
          <a href={to('webhooks', result.endpointId)}>Go to that endpoint</a>
        </p>
      )}
      {result.deliveryId && (
        <p>
          <a href={to('webhooks', 'deliveries', result.deliveryId)}>Go to the delivery</a>
        </p>
      )}
    </div>
  )
}

interface AreaProps {
  label: string
  hint: string
  rows: number
  placeholder: string
  value: string
  fault: string | undefined
  onValue(value: string): void
}

function Area({ label, hint, rows, placeholder: example, value, fault, onValue }: AreaProps) {
  const id = useId()
  return (
    <div class="field">
      <label htmlFor={id}>{label}</label>
      <p id={`${id}-hint`} class="hint">
        {hint}
      </p>
      <textarea
        id={id}
        class="mono"
        rows={rows}
        spellcheck={false}
        placeholder={example}
        value={value}
        aria-invalid={fault ? true : undefined}
        aria-describedby={`${id}-hint`}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      {fault && (
        <p class="fault">
          {label} {fault}
        </p>
      )}
    </div>
  )
}
