// Allows the command line of a machine to act as the signed-in user.

import type { WaitingMachine } from '@lendloom/wire/console/command-line'
import { roleNames } from '@lendloom/wire/console/lists'
import { useSignal } from '@preact/signals'
import { post } from '../api.ts'
import type { AreaProps } from '../area.ts'
import { go, to } from '../router.ts'
import { me } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { Loading, PageHead, Trouble } from '../ui/components.tsx'
import { Field, Form, useAct, useTyped } from '../ui/form.tsx'
import { useResource } from '../ui/list.tsx'

const page = 'command-line'

export function CommandLine({ rest: [code = ''] }: AreaProps) {
  const userCode = code.replace(/[\s-]/g, '').toUpperCase()
  return (
    <>
      <PageHead title="Sign in a command line" about="lendloom login shows a code of eight letters." />
      {/^[A-Z]{8}$/.test(userCode) ? <Decision key={userCode} userCode={userCode} /> : <CodeForm />}
    </>
  )
}

function CodeForm() {
  const { act, bind, typed } = useTyped({ code: '' })
  return (
    <section class="card question">
      <Form act={act} onSubmit={async () => go(to(page, typed.code))} button="Continue">
        <Field label="Code" autoComplete="off" autoFocus required {...bind('code')} />
      </Form>
    </section>
  )
}

function Decision({ userCode }: { userCode: string }) {
  const path = `/command-line/${userCode}`
  const { value: machine, error, reload } = useResource<WaitingMachine>(path)
  const decision = useSignal<'allowed' | 'refused' | null>(null)
  const act = useAct()
  const decide = (isAllowed: boolean) =>
    act.run(
      () => post(path, { isAllowed }),
      () => assign(decision, isAllowed ? 'allowed' : 'refused'),
    )
  if (decision.value)
    return (
      <section class="card question" role="status">
        <h2>{decision.value === 'allowed' ? 'The command line is signed in' : 'Refused'}</h2>
        <p>{decision.value === 'allowed' ? 'Go back to your terminal.' : 'The command line was not signed in.'}</p>
      </section>
    )
  if (error) return <Trouble error={error} retry={reload} />
  if (!machine || !me.value) return <Loading rows={3} />
  const { person } = me.value
  return (
    <section class="card question">
      <h2>
        Is {userCode.slice(0, 4)} {userCode.slice(4)} the code in your terminal?
      </h2>
      <p>
        The terminal on <strong>“{machine.name}”</strong> ({machine.network}) will be signed in as {person.email} (
        {roleNames[person.role]}) for up to 12 hours. Signing out here ends it too. To end it alone, open{' '}
        <a href={to('account')}>Your account</a>, Where you are signed in.
      </p>
      <p>Refuse if you did not just run lendloom login, even if a colleague sent you the link.</p>
      {act.problem !== null && <Trouble error={act.problem} />}
      <div class="acts">
        <button type="button" class="primary" onClick={() => decide(true)}>
          Allow
        </button>
        <button type="button" class="secondary" onClick={() => decide(false)}>
          Refuse
        </button>
      </div>
    </section>
  )
}
