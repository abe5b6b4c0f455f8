// `lendloom doctor`: checks settings, databases and surroundings of the programs, and says what to do.
import { existsSync, readFileSync } from 'node:fs'
import { type NamedFinding, reportOf } from './check.ts'
import { CannotRun, type CommandCall, command } from './command.ts'
import { contextOf } from './contexts.ts'
import { databaseVariable } from './database.ts'
import { dotEnvOf, environmentOf } from './doctor/environment.ts'
import { examinePlatform } from './doctor/platform.ts'
import { examineProgram } from './doctor/programs.ts'
import { dotEnvFile } from './installation.ts'
import { type Program, programOf, realPrograms } from './program-names.ts'

const options = {
  program: {
    type: 'string',
    value: realPrograms.join('|'),
    about: 'only this program (default: each that is configured)',
  },
} as const

interface ProgramFinding extends NamedFinding {
  program: Program
}

export const doctor = command({
  name: 'doctor',
  summary: 'check settings, databases, keys, network, mail, scanner and disks, and say what to do',
  usage: '[--program platform|partner]',
  options,
  async run(call: CommandCall<typeof options>) {
    const {
      options: { program },
      env,
    } = call
    if (contextOf(env)) return examinePlatform(call)
    const chosen = program === undefined ? realPrograms : [programOf(program, realPrograms)]
    const environments = chosen.flatMap((one) => {
      const found = environmentOf(one, env)
      return found ? [{ program: one, env: found }] : []
    })
    if (environments.length === 0) throw new CannotRun(nothingToCheck(chosen))
    const findings: ProgramFinding[] = []
    for (const { program: one, env: its } of environments) {
      const dotEnv = its === env ? dotEnvOf(one, env, dotEnvText()) : null
      if (dotEnv) findings.push({ program: one, name: '.env', ...dotEnv })
      findings.push(...(await examineProgram(one, its)).map((finding) => ({ program: one, ...finding })))
    }
    return reportOf(findings.map((each) => ({ ...each, title: `${each.program} ${each.name}` })))
  },
})

const dotEnvText = (): string | null => (existsSync(dotEnvFile) ? readFileSync(dotEnvFile, 'utf8') : null)

const nothingToCheck = (chosen: readonly Program[]): string =>
  `nothing to check: start Lendloom in another window (npm start), or set the environment of the program (${chosen.map((one) => databaseVariable[one]).join(', ')}, …)`
