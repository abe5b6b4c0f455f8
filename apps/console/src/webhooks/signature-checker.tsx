// The signature checker: verifies a pasted request against an endpoint's secret, and explains a mismatch.

import type { DeliveryDetail, Endpoint, SignatureResult } from '@lendloom/wire/console/webhooks'
import { useSignal } from '@preact/signals'
import { post } from '../api.ts'
import { query, to } from '../router.ts'
import { tenantId } from '../session.ts'
import { Badge, Empty, Loading, Trouble } from '../ui/components.tsx'
import { Choice, Form, TextArea, useTyped } from '../ui/form.tsx'
import { useList, useResource } from '../ui/list.tsx'
import { api, mayAct } from './access.ts'
import { findingWords } from './webhook-texts.ts'

const placeholder = 'webhook-id: 01a1fcfb-…\nwebhook-timestamp: 1795255200\nwebhook-signature: v1,…'

export function SignatureChecker() {
  const { items, error, reload } = useList<Endpoint>('/webhooks/endpoints', { tenantId: tenantId.value, limit: '200' })
  const endpointId = query.value('endpoint')
  const deliveryId = query.value('delivery')
  if (error && !items) return <Trouble error={error} retry={reload} />
  if (!items) return <Loading />
  if (items.length === 0) return <NoEndpoint />
  if (!mayAct()) return <NotAllowed />
  // An address of another site can name any endpoint.
  const known = items.find((each) => each.endpointId === endpointId) ?? items[0]
  const checker = { endpoints: items, endpointId: known?.endpointId ?? '' }
  return deliveryId ? <Prefilled checker={checker} deliveryId={deliveryId} /> : <Checker {...checker} headers="" />
}

type PrefilledProps = { checker: Omit<CheckerProps, 'headers'>; deliveryId: string }

/** Without the body, because the console has it only with masked personal data. */
function Prefilled({ checker, deliveryId }: PrefilledProps) {
  const { value, error } = useResource<DeliveryDetail>(`/webhooks/deliveries/${encodeURIComponent(deliveryId)}`, {
    tenantId: tenantId.value,
  })
  return value || error ? <Checker {...checker} headers={signedHeaders(value)} /> : <Loading />
}

const signedHeaders = (delivery: DeliveryDetail | null): string =>
  (delivery?.request.headers ?? [])
    .filter(({ name }) => name.startsWith('webhook-'))
    .map(({ name, value }) => `${name}: ${value}`)
    .join('\n')

interface CheckerProps {
  endpoints: Endpoint[]
  endpointId: string
  headers: string
}

function Checker({ endpoints, endpointId: initialId, headers: initialHeaders }: CheckerProps) {
  const { act, bind, typed } = useTyped({ endpointId: initialId, headers: initialHeaders, body: '' })
  const result = useSignal<{ input: object; result: SignatureResult } | null>(null)
  const { endpointId } = typed
  async function submit(): Promise<void> {
    const { headers, body } = typed
    result.value = null
    const path = api(`/endpoints/${endpointId}/check-signature`)
    result.value = { input: typed, result: await post<SignatureResult>(path, { headers, body }) }
  }
  return (
    <>
      <p class="quiet above">
        Use it when your server rejects an update as not signed by us, or answers 2xx and ignores it.
      </p>
      <div class="checker">
        <Form act={act} onSubmit={submit} button="Check the signature">
          <Choice
            label="Endpoint"
            options={endpoints.map((each) => [each.endpointId, each.url] as const)}
            {...bind('endpointId')}
          />
          <TextArea
            label="Headers"
            hint={
              initialHeaders
                ? 'We filled in the headers of the update. Replace them if your server logged others.'
                : 'The three webhook headers as your server received them: one per line, or as your program logs them. Other headers are ignored.'
            }
            rows={4}
            {...asCode}
            placeholder={placeholder}
            {...bind('headers')}
          />
          <TextArea
            label="Body"
            hint="The raw body, exactly as your server received it. The console masks personal data, so copy it from your server. We compare it and do not store it."
            rows={10}
            {...asCode}
            placeholder={'{"tenant_id":"…'}
            {...bind('body')}
          />
        </Form>
        <div aria-live="polite">{result.value?.input === typed && <Result result={result.value.result} />}</div>
      </div>
    </>
  )
}

const asCode = { class: 'mono', spellcheck: false }

const NoEndpoint = () => (
  <Empty title="No endpoints yet">
    <p>
      We check a signature with the secret of an endpoint. <a href={to('webhooks')}>Add one first</a>
    </p>
  </Empty>
)

const NotAllowed = () => (
  <Empty title="Your role cannot check signatures">
    <p>Only developers, operators and admins can check signatures.</p>
  </Empty>
)

function Result({ result }: { result: SignatureResult }) {
  const [tone, title, text] = findingWords(result)
  return (
    <div class={`notice ${tone}`}>
      <p>
        <Badge tone={tone}>{tone === 'good' ? 'Valid' : tone === 'warn' ? 'Almost' : 'Invalid'}</Badge>{' '}
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
