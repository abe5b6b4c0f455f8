// Makes password hashing cheap in this process, because few tests depend on the real cost.
import { passwordCost } from '@lendloom/seal/password'

Object.assign(passwordCost, { memory: 64, passes: 1 })
