// The user's account: password, second factor, passkeys, linked accounts, sessions and theme.

import { roleNames } from '@lendloom/wire/console/lists'
import type { Passkeys as PasskeyList } from '@lendloom/wire/console/passkey'
import type { NewSecondFactor, RecoveryCodes, Session, Sessions as SessionList } from '@lendloom/wire/console/staff'
import { useSignal } from '@preact/signals'
import { post, put, remove } from '../api.ts'
import { chooseTheme, theme, themes } from '../colour-theme.ts'
import { load, me } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { Badge, Id, Loading, PageHead, SmallButton, Trouble } from '../ui/components.tsx'
import { Field, Form, NewPassword, type TypedFields, useAct, useForm, useTyped } from '../ui/form.tsx'
import { Rows, useResource } from '../ui/list.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { sessionColumns } from '../ui/session-columns.tsx'
import { LinkedAccounts } from './linked-accounts.tsx'
import { KeptPasskeys, type OwnPasskeys, Passkeys } from './passkeys.tsx'

export function Account() {
  const passkeys = useResource<PasskeyList>('/passkeys')
  if (!me.value) return null
  const { person } = me.value
  return (
    <>
      <PageHead title="Your account" about={`${person.name} · ${person.email} · ${roleNames[person.role]}`} />
      <div class="cards">
        <Password passkeys={passkeys} />
        <SecondFactor passkeys={passkeys} />
        <div>
          <Passkeys passkeys={passkeys} />
          <LinkedAccounts />
          <ThemeCard />
        </div>
      </div>
      <Sessions />
    </>
  )
}

function Password({ passkeys }: { passkeys: OwnPasskeys }) {
  const { act, bind, set, typed } = useTyped({ current: '', next: '' })
  const isDone = useSignal(false)
  const kept = useSignal<string[]>([])
  async function submit(): Promise<void> {
    await post('/password', { ...typed, keepPasskeyIds: kept.value })
    set({ current: '', next: '' })
    isDone.value = true
    passkeys.reload()
  }
  return (
    <section class="card">
      <h2>Password</h2>
      <Form act={act} onSubmit={submit} button="Change password">
        <Field label="Current password" type="password" autoComplete="current-password" required {...bind('current')} />
        <NewPassword label="New password" {...bind('next')} />
        <KeptPasskeys passkeys={passkeys} kept={kept} />
      </Form>
      <p role="status" class="good-words">
        {isDone.value &&
          !typed.current &&
          !typed.next &&
          'Password changed. We have ended all your other sessions and unlinked linked accounts.'}
      </p>
    </section>
  )
}

function SecondFactor({ passkeys }: { passkeys: OwnPasskeys }) {
  const secret = useSignal<NewSecondFactor | null>(null)
  const codes = useSignal<string[] | null>(null)
  const isOn = me.value?.twoFactor ?? false
  const password = useSignal('')
  const form = useForm(['password'])
  return (
    <section class="card">
      <h2>Second factor {isOn ? <Badge tone="good">On</Badge> : <Badge tone="warn">Off</Badge>}</h2>
      {codes.value && <NewCodes codes={codes.value} />}
      {secret.value && (
        <SetUpForm
          secret={secret.value}
          passkeys={passkeys}
          onDone={(recoveryCodes) => {
            codes.value = recoveryCodes
            secret.value = null
          }}
        />
      )}
      {!secret.value && !isOn && (
        <Form
          act={form}
          onSubmit={async () => {
            assign(secret, await post<NewSecondFactor>('/totp', { password: password.value }))
            password.value = ''
          }}
          button="Set up an authenticator app"
        >
          <p>
            After your password you also enter a code from your phone. Someone who knows only your password cannot sign
            in.
          </p>
          <Field
            label="Current password"
            hint="We ask for your current password so that no one else can set this up on your computer."
            type="password"
            autoComplete="current-password"
            required
            value={password.value}
            fault={form.faults.password}
            onValue={(value) => assign(password, value)}
          />
        </Form>
      )}
      {!secret.value && isOn && <TurnOffForm />}
    </section>
  )
}

const NewCodes = ({ codes }: { codes: string[] }) => (
  <div class="notice good">
    <p>
      <strong>Keep these recovery codes.</strong> Each one signs you in once, without your phone. We show them only
      once.
    </p>
    <ul class="codes">
      {codes.map((each) => (
        <li key={each}>
          <code>{each}</code>
        </li>
      ))}
    </ul>
  </div>
)

interface SetUpFormProps {
  secret: NewSecondFactor
  passkeys: OwnPasskeys
  onDone(recoveryCodes: string[]): void
}

function SetUpForm({ secret, passkeys, onDone }: SetUpFormProps) {
  const { act, bind, typed } = useTyped({ code: '' })
  const kept = useSignal<string[]>([])
  async function confirm(): Promise<void> {
    const body = { code: typed.code.replaceAll(' ', ''), keepPasskeyIds: kept.value }
    const { recoveryCodes } = await put<RecoveryCodes>('/totp', body)
    onDone(recoveryCodes)
    passkeys.reload()
    await load()
  }
  return (
    <Form act={act} onSubmit={confirm} button="Turn on">
      <p>
        Scan this code with your authenticator app, then enter the six digits that it shows. On this device you can{' '}
        <a href={secret.uri}>open the app</a>.
      </p>
      <QrCode text={secret.uri} label="QR code with the key for your authenticator app" />
      <p class="quiet small">If you cannot scan the code, enter this key:</p>
      <p class="copyable">
        <Id value={secret.secret} whole />
      </p>
      <CodeField bind={bind} />
      <KeptPasskeys passkeys={passkeys} kept={kept} />
    </Form>
  )
}

function TurnOffForm() {
  const { act, bind, typed } = useTyped({ code: '' })
  async function end(): Promise<void> {
    await remove('/totp', { code: typed.code.replaceAll(' ', '') })
    await load()
  }
  return (
    <Form act={act} onSubmit={end} button="Turn off">
      <p>To turn it off, enter a code from your app.</p>
      <CodeField bind={bind} />
    </Form>
  )
}

const CodeField = ({ bind }: Pick<TypedFields<{ code: string }>, 'bind'>) => (
  <Field label="Code" inputMode="numeric" autoComplete="one-time-code" required {...bind('code')} />
)

const ThemeCard = () => (
  <section class="card">
    <h2>Theme</h2>
    <fieldset class="options">
      <legend>Colours</legend>
      {themes.map(([each, name]) => (
        <label key={each}>
          <input type="radio" name="theme" checked={theme.value === each} onChange={() => chooseTheme(each)} /> {name}
        </label>
      ))}
    </fieldset>
  </section>
)

function Sessions() {
  const { value, error, reload } = useResource<SessionList>('/sessions')
  const act = useAct()
  const end = ({ sessionId }: Session) => act.run(() => remove(`/sessions/${sessionId}`), reload)
  const trouble = act.problem ?? error
  return (
    <section>
      <h2>Where you are signed in</h2>
      {trouble ? <Trouble error={trouble} retry={reload} /> : null}
      {!value && !error && <Loading rows={2} />}
      {value && (
        <Rows
          label="Sessions"
          items={value.items}
          keyOf={({ sessionId }) => sessionId}
          columns={sessionColumns(
            (session) => !session.isCurrent && <SmallButton onClick={() => end(session)}>End</SmallButton>,
          )}
        />
      )}
    </section>
  )
}
