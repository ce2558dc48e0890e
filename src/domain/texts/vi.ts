/** Vietnamese; "bạn", polite and without guessing age or sex. */
import type { Texts } from "./en.ts"

export const vi: Texts = {
  mail: {
    invitationSubject: "Thư mời phỏng vấn: {interview}",
    invitationPreview: "{organization} mời bạn tham gia phỏng vấn. Bạn có thể bắt đầu muộn nhất {deadline}.",
    invitationLead: "{organization} trân trọng mời bạn tham gia buổi phỏng vấn này:",
    reminderSubject: "Nhắc nhở về buổi phỏng vấn của bạn: {interview}",
    reminderPreview: "Buổi phỏng vấn với {organization} vẫn đang chờ bạn. Bạn có thể bắt đầu muộn nhất {deadline}.",
    reminderLead: "{organization} đã mời bạn tham gia buổi phỏng vấn này, nhưng bạn vẫn chưa bắt đầu:",
    extensionSubject: "Thêm thời gian cho buổi phỏng vấn của bạn: {interview}",
    extensionPreview: "{organization} đã gia hạn cho bạn. Giờ đây bạn có thể bắt đầu muộn nhất {deadline}.",
    extensionLead: "{organization} đã gia hạn cho bạn để tham gia buổi phỏng vấn này:",
    greeting: "Xin chào {name},",
    timeLimit: "Bạn trả lời bằng văn bản. Thời gian làm bài tối đa là {duration}, tính từ lúc bạn bắt đầu.",
    noTimeLimit: "Bạn trả lời bằng văn bản theo nhịp độ của mình, không giới hạn thời gian.",
    deadline: "Bạn có thể bắt đầu muộn nhất {deadline}.",
    newDeadline: "Giờ đây bạn có thể bắt đầu muộn nhất {deadline}.",
    ownZone: "Trang phỏng vấn hiển thị thời hạn này theo múi giờ của bạn.",
    sameLink: "Đường liên kết vẫn như trước.",
    open: "Mở buổi phỏng vấn",
    copyLink: "Hoặc sao chép đường liên kết này vào trình duyệt của bạn:",
    linkIsYours: "Đường liên kết này chỉ dành riêng cho bạn, vui lòng không chia sẻ cho người khác.",
    why: "Bạn nhận được thư này vì {organization} đã mời bạn tham gia phỏng vấn. Nếu không mong đợi thư này, bạn có thể bỏ qua.",
    unsubscribe: "Không nhận thêm thư từ {organization}",
  },
}
