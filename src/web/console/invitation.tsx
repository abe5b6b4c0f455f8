// Form to accept an invitation with a name and a password.
import { post } from './api.ts'
import { go, to } from './router.ts'
import { load } from './session.ts'
import { Brand } from './sign-in.tsx'
import { Field, Form, useTyped } from './ui/form.tsx'

export function Invitation() {
  // The token is in the fragment, which browsers never send to a server.
  const token = location.hash.slice(1)
  const { act, bind, typed } = useTyped({ name: '', password: '' })
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
        <p>Enter your name as colleagues should see it, and a password of at least 12 characters.</p>
        <Form act={act} onSubmit={submit} button="Create my account">
          <Field label="Name" autoComplete="name" autoFocus required {...bind('name')} />
          <Field label="Password" type="password" autoComplete="new-password" required {...bind('password')} />
        </Form>
      </div>
    </main>
  )
}
