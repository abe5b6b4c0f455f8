// Sign-in with email and password, then a second-factor code if required.

import type { SignInWays } from '@lendloom/wire/console/staff'
import { useSignal } from '@preact/signals'
import { query } from './router.ts'
import { confirmOpenId, signIn } from './session.ts'
import { OpenIdError, PasswordlessSignIn } from './sign-in-ways.tsx'
import { Id } from './ui/components.tsx'
import { Field, Form, type TypedFields, useTyped } from './ui/form.tsx'
import { useResource } from './ui/list.tsx'

/** `isInDialog`: whether a dialog asks the user `email` to sign in again, because the session has expired. */
export function SignIn({ email = '', isInDialog = false }: { email?: string; isInDialog?: boolean }) {
  const { act, bind, typed } = useTyped({ email, password: '', code: '' })
  // After an OpenID sign-in only the second-factor code is missing.
  const isAfterOpenId = !isInDialog && query.value('sign-in') === 'code'
  const needsCode = useSignal(isAfterOpenId)
  async function submit(): Promise<void> {
    const { code, ...credentials } = typed
    if (isAfterOpenId) return confirmOpenId(code.replaceAll(' ', ''))
    needsCode.value = await signIn(code === '' ? credentials : { ...credentials, code: code.replaceAll(' ', '') })
  }
  const form = (
    <Form act={act} onSubmit={submit} button={needsCode.value ? 'Confirm' : 'Sign in'}>
      {needsCode.value ? <CodeField bind={bind} /> : <NameAndPassword bind={bind} isKnown={email !== ''} />}
    </Form>
  )
  const otherMethods = !needsCode.value && <PasswordlessSignIn isInDialog={isInDialog} />
  if (isInDialog)
    return (
      <>
        {form}
        {otherMethods}
      </>
    )
  return (
    <main class="alone">
      <div class="card">
        <Brand />
        <h1>{needsCode.value ? 'Confirm that it is you' : 'Sign in to the console'}</h1>
        {!needsCode.value && <OpenIdError />}
        {form}
        {otherMethods}
        {isAfterOpenId && (
          <p class="quiet small">
            <a href="/console">Sign in another way</a>
          </p>
        )}
        {!needsCode.value && <Help email={typed.email} />}
      </div>
    </main>
  )
}

/** What a person without an account or without its password can do. */
function Help({ email }: { email: string }) {
  const { value: ways } = useResource<SignInWays>('/sign-in/ways')
  return (
    <div class="sign-in-help small">
      {ways?.sandbox && (
        <p>
          This is a sandbox: <code>.lendloom/sandbox.json</code>, which <code>npm start</code> writes, has an address
          and a password for each role under <code>console</code>.
        </p>
      )}
      <details>
        <summary>Forgot your password?</summary>
        <p>
          We mail no links that reset it. An operator of the platform gives you a new one at the command line, and you
          change it under Your account:
        </p>
        <p class="copyable">
          <Id value={`lendloom people password ${email || 'you@example.com'}`} whole />
        </p>
        <p>It ends your sessions and removes your passkeys.</p>
      </details>
      <p>No account yet? Ask your team’s admin to invite you.</p>
    </div>
  )
}

type FieldBinder = Pick<TypedFields<{ email: string; password: string; code: string }>, 'bind'>

const CodeField = ({ bind }: FieldBinder) => (
  <Field
    key="code"
    label="Code"
    hint="The six digits from your authenticator app, or one of your recovery codes."
    autoComplete="one-time-code"
    autoFocus
    required
    {...bind('code')}
  />
)

interface NameAndPasswordProps extends FieldBinder {
  /** Whether the email is fixed, because the user's session has expired. */
  isKnown: boolean
}

const NameAndPassword = ({ bind, isKnown }: NameAndPasswordProps) => (
  <>
    <Field
      label="Email"
      type="email"
      autoComplete="username webauthn"
      autoFocus={!isKnown}
      required
      readOnly={isKnown}
      {...bind('email')}
    />
    <Field
      label="Password"
      type="password"
      autoComplete="current-password"
      autoFocus={isKnown}
      required
      {...bind('password')}
    />
  </>
)

/** The logo: two crossing threads. */
export const Brand = () => (
  <span class="brand">
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="7" class="tile" />
      <path d="M10 7v13a4 4 0 0 0 4 4h9" class="warp" />
      <path d="M7 15h6m4 0h8" class="weft" />
    </svg>
    Lendloom
  </span>
)
