// Taking up an invitation: a name, a password, then signing in with it.
import { useSignal } from '@preact/signals'
import { post } from './api.ts'
import { go, to } from './router.ts'
import { load } from './session.ts'
import { Brand } from './sign-in.tsx'
import { assign } from './ui/assign.ts'
import { Field, Form, useForm } from './ui/form.tsx'

export function Invitation() {
  // The token stands in the fragment: it is sent to no server and stands in no log.
  const token = location.hash.slice(1)
  const typed = useSignal({ name: '', password: '' })
  const act = useForm(['name', 'password'])
  async function submit(): Promise<void> {
    await post('/invitations/accept', { token, ...typed.value })
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
          <Field
            label="Name"
            autoComplete="name"
            autoFocus
            required
            value={typed.value.name}
            fault={act.faults.name}
            onValue={(name) => assign(typed, { ...typed.value, name })}
          />
          <Field
            label="Password"
            type="password"
            autoComplete="new-password"
            required
            value={typed.value.password}
            fault={act.faults.password}
            onValue={(password) => assign(typed, { ...typed.value, password })}
          />
        </Form>
      </div>
    </main>
  )
}
