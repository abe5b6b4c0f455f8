// Opens a page in the browser of the user.
import { spawn } from 'node:child_process'

const programs: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Starts the browser. Without one nothing happens: the caller has printed the address. */
export function openPage(url: string): void {
  const [program, ...args] = programs[process.platform] ?? ['xdg-open']
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
