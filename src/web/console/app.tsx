// What the window shows: the sign-in, an invitation, or the console of whoever is signed in.
import { Invitation } from './invitation.tsx'
import { segments } from './router.ts'
import { isExpired, load, me, signOut, trouble } from './session.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'
import { Dialog } from './ui/dialog.tsx'
import { Loading, Trouble } from './ui/parts.tsx'

export function App() {
  if (segments.value[0] === 'invitation') return <Invitation />
  if (trouble.value)
    return (
      <main class="alone">
        <Trouble error={trouble.value} retry={load} />
      </main>
    )
  if (me.value === undefined)
    return (
      <main class="alone">
        <Loading rows={3} />
      </main>
    )
  if (me.value === null) return <SignIn />
  return (
    <>
      <Shell me={me.value} />
      {isExpired.value && (
        <Dialog title="Sign in again" onClose={() => isExpired.value && signOut()}>
          <p>Your session has ended. What you typed is still here: sign in and go on.</p>
          <SignIn email={me.value.person.email} isInside />
        </Dialog>
      )}
    </>
  )
}
