// Rotation of a partner's credential. Old and new are valid during the overlap; the new one is shown once.

import type { LendingPartner, NewCredentials } from '@lendloom/wire/console/lending-partners'
import type { CredentialDirection } from '@lendloom/wire/console/lists'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { post } from '../api.ts'
import { Id, Time } from '../ui/components.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Form, useTyped } from '../ui/form.tsx'

const overlaps = [
  ['24', 'For a day'],
  ['168', 'For seven days'],
  ['1', 'For an hour'],
  ['0', 'Not at all: the old credential has leaked'],
] as const

const effects: Record<CredentialDirection, string> = {
  outgoing: 'We use the old credential until the overlap ends. Give the partner the new one before that.',
  incoming: 'We accept the old credential until the overlap ends. The partner must switch to the new one before that.',
}

interface RotateProps {
  partner: LendingPartner
  direction: CredentialDirection
  onClose(): void
}

export function Rotate({ partner, direction, onClose }: RotateProps) {
  const { act, bind, set, typed } = useTyped({ overlap: '24', withBearer: false })
  const credentials = useSignal<NewCredentials | null>(null)
  const path = `/lending-partners/${partner.partnerId}/rotate`
  const title = direction === 'outgoing' ? 'our credentials' : `the credentials of ${partner.name}`
  async function submit(): Promise<void> {
    const body = { direction, overlapHours: Number(typed.overlap), withBearer: typed.withBearer }
    credentials.value = await post<NewCredentials>(path, body)
  }
  return (
    <Dialog title={credentials.value ? 'The new credentials' : `Replace ${title}`} onClose={onClose}>
      {credentials.value ? (
        <NewCredentialsNotice credentials={credentials.value} onClose={onClose} />
      ) : (
        <Form act={act} onSubmit={submit} button="Create a new credential">
          <p>{effects[direction]}</p>
          <Choice label="Both are valid" options={overlaps} {...bind('overlap')} />
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
export const NewCredentialsNotice = ({
  credentials: { outgoing, incoming },
  onClose,
}: {
  credentials: NewCredentials
  onClose(): void
}) => (
  <>
    <p>
      <strong>Copy them now: we show them only once.</strong> Do not send them to the partner by email.
    </p>
    {outgoing && (
      <Secret title="Our credentials" credential={outgoing}>
        <dt>Used from</dt>
        <dd>
          <Time at={outgoing.from} exact />
        </dd>
      </Secret>
    )}
    {incoming && <Secret title="The partner’s credentials" credential={incoming} />}
    <div class="acts">
      <button type="button" class="primary" onClick={onClose}>
        I have copied them
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
