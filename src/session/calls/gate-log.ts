import type { GateLog } from '../../permissions/gate-deps.ts';
import type { SessionLog } from '../log/log.ts';

/** Writes what happens at the gate to the log. `also` is called for what others than the log must know. */
export function gateLog(log: SessionLog, also: Pick<GateLog, 'granted' | 'notSaved'>): GateLog {
  return {
    decided({ messageID, callID }, permission, action, decisions, because) {
      const call = { messageID, callID };
      log.append({
        type: 'permission.decided',
        ...call,
        permission,
        action,
        decisions: [...decisions],
        ...(because && { because }),
      });
    },
    asked({ id, messageID, callID, tool, permission, patterns, always, subject, decisions, dangers }) {
      log.append({
        type: 'permission.asked',
        messageID,
        callID,
        requestID: id,
        tool,
        permission,
        patterns: [...patterns],
        always: [...always],
        subject,
        decisions: [...decisions],
        ...(dangers && { dangers: [...dangers] }),
      });
    },
    answered({ id, messageID, callID }, reply, by) {
      log.append({ type: 'permission.answered', messageID, callID, requestID: id, reply, by });
    },
    granted(rules) {
      also.granted(rules);
      log.append({ type: 'rules.granted', rules: [...rules] });
    },
    notSaved: (fault) => also.notSaved(fault),
  };
}
