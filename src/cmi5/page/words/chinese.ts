import type { Words } from './english.ts';

export const chinese: Words = {
  title: '课程',
  connecting: (host) => `正在连接 ${host}…`,
  reporting: (host) => `你的进度会报告给 ${host}。`,
  completed: (host) => `${host} 已将这节课记为完成。`,
  looking: (host) => `${host} 打开这节课仅供浏览：不会报告任何完成情况。`,
  mustPass:
    '你的学习课程只在这节课“通过”时才计入，但阅读的课无法“通过”。请告诉课程的制作者：这节课的 moveOn 设置应为 Completed。',
  notReported: '你的进度没有被报告。你仍然可以阅读这节课。',
  delayed: (host) => `你的进度还没有送达 ${host}，会自动重新发送。`,
  retry: '重试',
  leave: '离开这节课',
  backTo: (host) => `返回 ${host}`,
  leaveAnyway: '不报告并离开',
  mayClose: '你已读到最后，可以关闭此页面。',
  ended: '这节课已结束，你可以关闭此页面。要继续，请从你的学习课程中打开这节课。',
  nextAttempt: (time) => `下次尝试：${time}。`,
  details: '技术详情（英文）',
  faults: {
    'cmi5-launch':
      '此页面不是由学习平台打开的。请从你的学习课程中打开这节课。如果没有用，请告诉学习平台的管理者。',
    'cmi5-sign-in': '学习平台没有接受这次启动。请回到你的学习课程，再次打开这节课。',
    'cmi5-unreachable':
      '无法连接学习平台。请检查网络。如果网络正常，请告诉学习平台的管理者：平台可能不接受其他网站的报告（CORS）。',
    'cmi5-closed':
      '学习平台不再接受这次启动的报告。这节课可能被打开了第二次，或打开得太久。请从你的学习课程中重新打开。',
    'cmi5-busy': '学习平台返回了错误，可能过一会儿就会恢复。',
    'cmi5-refused': '学习平台拒绝了一条报告。请告诉它的管理者。',
  },
};
