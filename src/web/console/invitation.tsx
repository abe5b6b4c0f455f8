// Accepting an invitation: a name and a password, then signing in.
import { post } from './api.ts'
import { go, to } from './router.ts'
import { load } from './session.ts'
import { Brand } from './sign-in.tsx'
import { Field, Form, useTyped } from './ui/form.tsx'

export function Invitation() {
  // The token is in the fragment, which is never sent to a server or logged.
  const token = location.hash.slice(1)
  const { act, of, typed } = useTyped({ name: '', password: '' })
  async function submit(): Promise<void> {
    await post('/invitations/accept', { token, ...typed })
    go(to())
    await load()
  }
  return (
    <main class="alone">
      <div class="card">
        <Brand />
        <h1>Welcome to the console</h1>
        <p>Choose how your colleagues see you, and a password of at least 12 characters.</p>
        <Form act={act} onSubmit={submit} button="Create my account">
          <Field label="Name" autoComplete="name" autoFocus required {...of('name')} />
          <Field label="Password" type="password" autoComplete="new-password" required {...of('password')} />
        </Form>
      </div>
    </main>
  )
}
