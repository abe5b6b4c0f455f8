// Sign-in without a password: by the configured OpenID provider, or by a passkey.

import { type OpenIdProblem, openIdProblems } from '@lendloom/identity/sign-in-failures'
import type { OpenIdReply, SignInWays } from '@lendloom/wire/console/staff'
import { useEffect, useRef } from 'preact/hooks'
import { post } from './api.ts'
import { getPasskey, hasPasskeys, supportsAutofill } from './passkeys.ts'
import { query, setQuery } from './router.ts'
import { signInBy } from './session.ts'
import { Trouble } from './ui/components.tsx'
import { useAct } from './ui/form.tsx'
import { useResource } from './ui/list.tsx'

const problems: Record<OpenIdProblem, string> = {
  expired: 'The sign-in took too long, or began in another window. Try again.',
  away: 'We cannot reach the sign-in service right now. Try again, or use your password.',
  declined: 'The sign-in service rejected the sign-in, or you cancelled it.',
  unproven:
    'We could not verify the answer of the sign-in service. Try again. If it keeps failing, ask its administrator.',
  unverified: 'The sign-in service has not verified your email address, so you cannot sign in with it.',
  domain: 'Email addresses of your domain cannot sign in this way. Use your password.',
  unknown: 'There is no account with your email address. If you were invited, open the link in the invitation first.',
  'other-account':
    'Your account is linked to another account of the sign-in service. Sign in with your password and unlink it under “Your account”.',
  limited: 'Too many attempts from your network. Wait a minute and try again.',
  failed: 'Something went wrong on our side. Try again, or use your password.',
}

/** The error if the user returns from the provider without being signed in. */
export function OpenIdError() {
  const code = query.value('sign-in')
  const problem = openIdProblems.find((each) => each === code)
  if (!problem) return null
  return (
    <p class="notice bad" role="alert">
      {problems[problem]}
    </p>
  )
}

/** A redirect to the provider would lose the input on the page, so a dialog does not offer OpenID. */
export function PasswordlessSignIn({ isInDialog }: { isInDialog: boolean }) {
  const { value: ways } = useResource<SignInWays>('/sign-in/ways')
  const act = useAct()
  const autofill = useAutofill(ways?.passkeyOrigin)
  if (!ways) return null
  const { openId, passkeyOrigin } = ways
  const signInByPasskey = () => {
    autofill.stop()
    act.run(async () => signInBy('/sign-in/passkey', { response: await getPasskey() }), autofill.stop)
  }
  const offersOpenId = openId !== null && !isInDialog
  const isElsewhere = passkeyOrigin !== null && passkeyOrigin !== location.origin && !isInDialog
  if (!offersOpenId && !isElsewhere && !hasPasskeys(passkeyOrigin)) return null
  return (
    <div class="ways">
      <p class="or quiet small">or</p>
      {act.problem ? <Trouble error={act.problem} /> : null}
      {offersOpenId && (
        <button type="button" class="secondary" onClick={() => act.run(redirect, () => {})}>
          Sign in with {openId}
        </button>
      )}
      {hasPasskeys(passkeyOrigin) && (
        <button type="button" class="secondary" onClick={signInByPasskey}>
          Sign in with a passkey
        </button>
      )}
      {isElsewhere && (
        <p class="quiet small">
          To use a passkey, open the console at <a href={`${passkeyOrigin}/console`}>{passkeyOrigin}</a>.
        </p>
      )}
    </div>
  )
}

/** Redirects to the provider, which returns to the current page. */
async function redirect(): Promise<void> {
  setQuery({ 'sign-in': '' })
  const { url } = await post<OpenIdReply>('/sign-in/openid', { next: location.pathname + location.search })
  location.assign(url)
}

/** How often the challenge is renewed; it is valid for five minutes. */
const renewalMs = 240_000

/** Offers passkeys in the email field's autofill list until one is used or `stop` is called. */
function useAutofill(origin: string | null | undefined) {
  const running = useRef<AbortController | null>(null)
  const stop = () => running.current?.abort()
  useEffect(() => {
    if (!hasPasskeys(origin)) return
    async function offer(): Promise<void> {
      stop()
      const attempt = new AbortController()
      running.current = attempt
      try {
        if (!(await supportsAutofill())) return
        const response = await getPasskey({ isAutofill: true, signal: attempt.signal })
        await signInBy('/sign-in/passkey', { response })
      } catch {
        // Ignored, because the passkey button shows errors.
      }
    }
    offer()
    const timer = setInterval(() => running.current?.signal.aborted || offer(), renewalMs)
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [origin])
  return { stop }
}
