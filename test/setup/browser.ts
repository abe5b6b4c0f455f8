// A real browser for tests: the one named by CHROMIUM_PATH, or the Chromium that npm brought along.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { noteStart } from './costs.ts'
import { deadlineMs } from './deadline.ts'
import { atProcessEnd } from './process-end.ts'

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const run = promisify(execFile)

let launched: Promise<Browser> | undefined

/** The browser of this process, headless: all its test files use the same one, and it is closed when they are done. */
export async function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser()
  // Not the promise itself: a test that awaits one which another file has made would belong to that file.
  return await launched
}

atProcessEnd(async () => (await launched)?.close())

/** Opens windows of their own: without motion, which costs much to draw, unless a test is about it; they wait as long as the suite does. */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(deadlineMs)
  return context
}

/** Starts one that whoever launches it closes. */
export async function launchBrowser(): Promise<Browser> {
  noteStart('browsers')
  const installed = process.env.CHROMIUM_PATH
  if (installed) return chromium.launch({ executablePath: installed, args, timeout: deadlineMs })
  const home = await unpacked()
  const executablePath = join(home, 'chromium')
  return chromium.launch({ executablePath, args, env: environment(home, executablePath), timeout: deadlineMs })
}

const modules = join(import.meta.dirname, '..', '..', 'node_modules')

/** Unpacks it once, beside the package. Two test files at the same time unpack it twice, and the first one stays. */
async function unpacked(): Promise<string> {
  const home = join(modules, '.cache', 'lendloom', 'chromium')
  if (existsSync(home)) return home
  mkdirSync(join(home, '..'), { recursive: true })
  const unfinished = mkdtempSync(`${home}-`)
  // The package unpacks into the directory for temporary files, which tests of this process use meanwhile.
  const program = join(import.meta.dirname, 'unpack-chromium.ts')
  const packed = join(modules, '@sparticuz', 'chromium', 'bin')
  await run(process.execPath, [program, packed], { env: { ...process.env, TMPDIR: unfinished } })
  writeFileSync(join(unfinished, 'fonts', 'fonts.conf'), `<fontconfig><dir>${home}/fonts</dir></fontconfig>`)
  try {
    renameSync(unfinished, home)
  } catch {
    rmSync(unfinished, { recursive: true })
  }
  return home
}

/** On a bare machine the libraries and the font that come with the package stand in for those of the system. */
function environment(home: string, executablePath: string): Record<string, string> {
  const env: Record<string, string> = { ...(process.env as Record<string, string>), HOME: process.env.HOME ?? tmpdir() }
  if (!existsSync('/etc/fonts/fonts.conf')) env.FONTCONFIG_PATH = join(home, 'fonts')
  if (!runs(executablePath, env)) env.LD_LIBRARY_PATH = join(home, 'al2023', 'lib')
  return env
}

function runs(executablePath: string, env: Record<string, string>): boolean {
  try {
    execFileSync(executablePath, ['--version', '--no-sandbox'], { env, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
