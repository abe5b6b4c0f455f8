// Rotating a credential of a lending partner: both are valid during the overlap, and the new one is shown once.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { LendingPartner, NewCredentials } from '#contract/console/lending-partners.ts'
import type { CredentialDirection } from '#contract/console/lists.ts'
import { post } from '../api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Form, useTyped } from '../ui/form.tsx'
import { Id, Time } from '../ui/parts.tsx'

const overlaps = [
  ['24', 'For a day'],
  ['168', 'For seven days'],
  ['1', 'For an hour'],
  ['0', 'Not at all: the old credential has leaked'],
] as const

const whatHappens: Record<CredentialDirection, string> = {
  outgoing: 'We use the old credential until then: give the partner the new one before it starts.',
  incoming: 'We accept events under the old credential until then: the partner switches to the new one in that time.',
}

interface RotateProps {
  partner: LendingPartner
  direction: CredentialDirection
  onClose(): void
}

export function Rotate({ partner, direction, onClose }: RotateProps) {
  const { act, of, set, typed } = useTyped({ overlap: '24', withBearer: false })
  const made = useSignal<NewCredentials | null>(null)
  const path = `/lending-partners/${partner.partnerId}/rotate`
  const what = direction === 'outgoing' ? 'what we present' : `what ${partner.name} presents`
  async function submit(): Promise<void> {
    const body = { direction, overlapHours: Number(typed.overlap), withBearer: typed.withBearer }
    made.value = await post<NewCredentials>(path, body)
  }
  return (
    <Dialog title={made.value ? 'The new credential' : `Replace ${what}`} onClose={onClose}>
      {made.value ? (
        <Made made={made.value} onClose={onClose} />
      ) : (
        <Form act={act} onSubmit={submit} button="Create a new one">
          <p>{whatHappens[direction]}</p>
          <Choice label="Both are valid" options={overlaps} {...of('overlap')} />
          <label class="check">
            <input
              type="checkbox"
              checked={typed.withBearer}
              onChange={(event) => set({ withBearer: event.currentTarget.checked })}
            />{' '}
            Replace the bearer as well as the signing key
          </label>
        </Form>
      )}
    </Dialog>
  )
}

/** New credentials, shown once. */
export const Made = ({ made: { outgoing, incoming }, onClose }: { made: NewCredentials; onClose(): void }) => (
  <>
    <p>
      <strong>Copy it now: we show it only once.</strong> Do not send it to the partner by email.
    </p>
    {outgoing && (
      <Secret title="What we present" credential={outgoing}>
        <dt>Used from</dt>
        <dd>
          <Time at={outgoing.from} exact />
        </dd>
      </Secret>
    )}
    {incoming && <Secret title="What the partner presents" credential={incoming} />}
    <div class="acts">
      <button type="button" class="primary" onClick={onClose}>
        I have copied it
      </button>
    </div>
  </>
)

interface SecretProps {
  title: string
  credential: { bearer: string; keyId: string; secret: string }
  children?: ComponentChildren
}

const Secret = ({ title, credential: { bearer, keyId, secret }, children }: SecretProps) => (
  <section class="made-credential">
    <h3>{title}</h3>
    <dl>
      <dt>Bearer</dt>
      <dd>
        <Id value={bearer} whole />
      </dd>
      <dt>Key ID</dt>
      <dd>
        <Id value={keyId} whole />
      </dd>
      <dt>Secret</dt>
      <dd>
        <Id value={secret} whole />
      </dd>
      {children}
    </dl>
  </section>
)
