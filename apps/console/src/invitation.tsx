// Form to accept an invitation with a name and a password.

import { roleNames } from '@lendloom/wire/console/lists'
import type { InvitationView } from '@lendloom/wire/console/staff'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiError, post } from './api.ts'
import { go, to } from './router.ts'
import { load } from './session.ts'
import { Brand } from './sign-in.tsx'
import { assign } from './ui/assign-signal.ts'
import { Loading, Trouble } from './ui/components.tsx'
import { Field, Form, NewPassword, useTyped } from './ui/form.tsx'

export function Invitation() {
  // The token is in the fragment, which browsers never send to a server.
  const token = location.hash.slice(1)
  const invitation = useSignal<InvitationView | null>(null)
  const error = useSignal<ApiError | null>(null)
  const read = () =>
    post<InvitationView>('/invitations/view', { token }).then(
      (view) => assign(invitation, view),
      (failure) => failure instanceof ApiError && assign(error, failure),
    )
  useEffect(() => void read(), [token])
  return (
    <main class="alone">
      <div class="card">
        <Brand />
        {error.value && [400, 404, 422].includes(error.value.status) ? (
          <>
            <h1>This link is not complete or no longer valid</h1>
            <p role="alert">
              An invitation works once, until it expires or is withdrawn. Open the whole address from the email, or ask
              an administrator for a new one.
            </p>
            <p>
              <a href={to()}>Sign in</a>
            </p>
          </>
        ) : (
          error.value && <Trouble error={error.value} retry={read} />
        )}
        {!invitation.value && !error.value && <Loading rows={3} />}
        {invitation.value && <Acceptance token={token} invitation={invitation.value} />}
      </div>
    </main>
  )
}

function Acceptance({ token, invitation }: { token: string; invitation: InvitationView }) {
  const { email, role, tenant, inviter } = invitation
  const { act, bind, typed } = useTyped({ name: invitation.name, password: '' })
  async function submit(): Promise<void> {
    await post('/invitations/accept', { token, ...typed })
    go(to())
    await load()
  }
  return (
    <>
      <h1>Join {tenant ?? 'the platform team'}</h1>
      <p>
        {inviter ?? 'An administrator'} invites you to the Lendloom console{tenant && ` of ${tenant}`} with the role{' '}
        <strong>{roleNames[role]}</strong>. You will sign in with {email}.
      </p>
      <Form act={act} onSubmit={submit} button="Create my account">
        <Field label="Name" hint="As colleagues see it." autoComplete="name" required {...bind('name')} />
        <NewPassword label="Password" autoFocus {...bind('password')} />
      </Form>
    </>
  )
}
